"""What travels between client and server: requests, responses, errors, encoding."""
