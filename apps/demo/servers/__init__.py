"""Programs of others, played on this machine: vendors, a customer's bot, a receiver of webhooks."""
