"""HTTP and WebSocket: routes, middleware, limits and static files."""
