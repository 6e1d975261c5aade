"""Reviews of finished hands, and the fairness of many deals."""
