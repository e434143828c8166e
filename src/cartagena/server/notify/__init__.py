"""Messages to people who are away: web push, mail and webhooks, by the rows of the outbox."""
