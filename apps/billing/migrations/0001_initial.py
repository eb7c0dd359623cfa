import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.billing.rules.ledger


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("chats", "0002_last_message"),
    ]

    operations = [
        migrations.CreateModel(
            name="EntityWrite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LegalEntity",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("short_name", models.CharField(max_length=255)),
                ("full_name", models.CharField(max_length=1000)),
                ("representative", models.CharField(max_length=255)),
                ("legal_address", models.CharField(max_length=1000)),
                ("postal_address", models.CharField(max_length=1000)),
                ("contact_person", models.CharField(max_length=255)),
                ("contact_phone", models.CharField(max_length=32)),
                ("inn", models.CharField(max_length=12)),
                ("kpp", models.CharField(max_length=9)),
                ("ogrn", models.CharField(max_length=15)),
                ("bank_name", models.CharField(max_length=255)),
                ("bik", models.CharField(max_length=9)),
                ("checking_account", models.CharField(max_length=20)),
                ("correspondent_account", models.CharField(max_length=20)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="legal_entities",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "legal entities",
            },
        ),
        migrations.CreateModel(
            name="Invoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(blank=True, db_default="", default="", max_length=32)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("issued", "issued"),
                            ("paid", "paid"),
                            ("cancelled", "cancelled"),
                            ("unknown", "unknown"),
                        ],
                        default=apps.billing.rules.ledger.InvoiceStatus["ISSUED"],
                        max_length=32,
                    ),
                ),
                ("amount_minor", models.BigIntegerField(help_text="Minor units.")),
                ("currency", models.CharField(db_default="RUB", default="RUB", max_length=3)),
                ("items", models.JSONField(default=list)),
                ("reference", models.CharField(editable=False, max_length=64)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("paid_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="chats.file",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invoices",
                        to="accounts.widget",
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="invoices", to="billing.legalentity"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Plan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.SlugField(help_text="What the API calls it.", unique=True)),
                ("name", models.CharField(max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[("product", "product"), ("package", "package"), ("unknown", "unknown")],
                        default=apps.billing.rules.ledger.SubscriptionKind["PRODUCT"],
                        max_length=32,
                    ),
                ),
                ("price_minor", models.BigIntegerField(help_text="Minor units.")),
                ("currency", models.CharField(db_default="RUB", default="RUB", max_length=3)),
                (
                    "days",
                    models.PositiveIntegerField(
                        blank=True, help_text="How long it lasts; none set means for good.", null=True
                    ),
                ),
                (
                    "ad_slots",
                    models.PositiveIntegerField(
                        db_default=0, default=0, help_text="How many ad-marketplace cabinets it lets be enabled."
                    ),
                ),
                ("is_on_sale", models.BooleanField(db_default=True, default=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("price_minor__gt", 0)), name="billing_plan_has_a_price")
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("plan", models.CharField(help_text="The plan's code.", max_length=50)),
                ("name", models.CharField(max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[("product", "product"), ("package", "package"), ("unknown", "unknown")], max_length=32
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "active"),
                            ("expired", "expired"),
                            ("cancelled", "cancelled"),
                            ("unknown", "unknown"),
                        ],
                        default=apps.billing.rules.ledger.SubscriptionStatus["ACTIVE"],
                        max_length=32,
                    ),
                ),
                ("price_minor", models.BigIntegerField(help_text="Minor units.")),
                ("currency", models.CharField(db_default="RUB", default="RUB", max_length=3)),
                ("ad_slots", models.PositiveIntegerField(db_default=0, default=0)),
                ("started_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subscriptions",
                        to="accounts.widget",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Transaction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("top_up", "top_up"),
                            ("invoice_payment", "invoice_payment"),
                            ("plan_purchase", "plan_purchase"),
                            ("withdrawal", "withdrawal"),
                            ("partner_reward", "partner_reward"),
                            ("partner_payout", "partner_payout"),
                            ("unknown", "unknown"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "pending"),
                            ("completed", "completed"),
                            ("cancelled", "cancelled"),
                            ("unknown", "unknown"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "direction",
                    models.CharField(
                        choices=[("credit", "credit"), ("debit", "debit"), ("unknown", "unknown")], max_length=32
                    ),
                ),
                ("amount_minor", models.BigIntegerField(help_text="Minor units.")),
                ("currency", models.CharField(db_default="RUB", default="RUB", max_length=3)),
                ("description", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("reference", models.CharField(editable=False, max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="transactions",
                        to="billing.legalentity",
                    ),
                ),
                (
                    "invoice",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transactions",
                        to="billing.invoice",
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transactions",
                        to="billing.subscription",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transactions",
                        to="accounts.widget",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "debited",
                    models.CharField(
                        choices=[
                            ("available", "available"),
                            ("reserved", "reserved"),
                            ("bank", "bank"),
                            ("sales", "sales"),
                            ("partners", "partners"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "credited",
                    models.CharField(
                        choices=[
                            ("available", "available"),
                            ("reserved", "reserved"),
                            ("bank", "bank"),
                            ("sales", "sales"),
                            ("partners", "partners"),
                        ],
                        max_length=32,
                    ),
                ),
                ("amount_minor", models.BigIntegerField(help_text="Minor units.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "transaction",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="billing.transaction"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
            },
        ),
        migrations.CreateModel(
            name="Wallet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("currency", models.CharField(db_default="RUB", default="RUB", max_length=3)),
                ("credited_minor", models.BigIntegerField(db_default=0, default=0, help_text="Minor units.")),
                ("debited_minor", models.BigIntegerField(db_default=0, default=0, help_text="Minor units.")),
                ("reserved_minor", models.BigIntegerField(db_default=0, default=0, help_text="Minor units.")),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wallets",
                        to="accounts.account",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wallets",
                        to="accounts.widget",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="transaction",
            name="wallet",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="transactions",
                to="billing.wallet",
            ),
        ),
        migrations.AddIndex(
            model_name="legalentity",
            index=models.Index(fields=["account", "-created_at", "-id"], name="billing_legalentity_list"),
        ),
        migrations.AddIndex(
            model_name="invoice",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="billing_invoice_list"),
        ),
        migrations.AddIndex(
            model_name="invoice",
            index=models.Index(fields=["widget", "status", "-created_at", "-id"], name="billing_invoice_status"),
        ),
        migrations.AddConstraint(
            model_name="invoice",
            constraint=models.UniqueConstraint(fields=("widget", "reference"), name="billing_invoice_once"),
        ),
        migrations.AddConstraint(
            model_name="invoice",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount_minor__gt", 0)), name="billing_invoice_of_something"
            ),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="billing_subscription_list"),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(fields=["widget", "status", "-created_at", "-id"], name="billing_subscription_status"),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(fields=["widget", "kind", "-created_at", "-id"], name="billing_subscription_kind"),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(
                condition=models.Q(("status", "active")), fields=["ends_at"], name="billing_subscription_end"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount_minor__gt", 0), models.Q(("debited", models.F("credited")), _negated=True)),
                name="billing_entry_moves_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="wallet",
            constraint=models.UniqueConstraint(
                fields=("account", "widget"), name="billing_wallet_once", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="wallet",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "credited_minor__gte",
                        django.db.models.expressions.CombinedExpression(
                            models.F("debited_minor"), "+", models.F("reserved_minor")
                        ),
                    ),
                    ("reserved_minor__gte", 0),
                ),
                name="billing_wallet_not_overdrawn",
            ),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="billing_transaction_list"),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["widget", "type", "-created_at", "-id"], name="billing_transaction_type"),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["widget", "state", "-created_at", "-id"], name="billing_transaction_state"),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["widget", "direction", "-created_at", "-id"], name="billing_transaction_dir"),
        ),
        migrations.AddConstraint(
            model_name="transaction",
            constraint=models.UniqueConstraint(fields=("wallet", "reference"), name="billing_transaction_once"),
        ),
        migrations.AddConstraint(
            model_name="transaction",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount_minor__gt", 0)), name="billing_transaction_of_something"
            ),
        ),
    ]
