"""Between the network and the site: connections and their limits, the web server that holds them, what it logs."""
