"""What the brokers say, in our words: one file a broker and a wire."""
