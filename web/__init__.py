"""The page: Flask app, event stream, static files."""
