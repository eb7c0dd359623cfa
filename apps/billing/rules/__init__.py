"""The pure rules of billing: legal entities (`entities`), money and its moves (`ledger`)."""
