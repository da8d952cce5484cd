"""More than one table: each tells a broker (MQTT) how its match stands, and a page shows them all (docs/venue.md)."""
