"""What billing may do: legal entities (`entities`), money and its moves (`ledger`). Pure."""
