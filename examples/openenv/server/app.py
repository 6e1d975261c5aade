"""The server's application: uvicorn server.app:app, in examples/openenv."""

from spades_env.integrations.openenv_server import make_app

app = make_app()
