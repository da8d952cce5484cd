"""The table's own Wi-Fi, made where no network is known (`deploy/install --access-point`)."""
