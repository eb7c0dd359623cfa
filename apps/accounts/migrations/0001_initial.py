from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Lower, Now

import apps.accounts.models
import apps.accounts.rules


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(blank=True, db_default="", max_length=255)),
                ("surname", models.CharField(blank=True, db_default="", max_length=255)),
                ("phone", models.CharField(blank=True, db_default="", max_length=32)),
                (
                    "referral_code",
                    models.CharField(
                        default=apps.accounts.rules.new_referral_code, editable=False, max_length=16, unique=True
                    ),
                ),
                (
                    "referred_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="referred",
                        to="accounts.account",
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(blank=True, db_default="", max_length=255)),
                ("surname", models.CharField(blank=True, db_default="", max_length=255)),
                (
                    "account",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.CASCADE, related_name="users", to="accounts.account"
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(db_default=False, default=False, help_text="May sign in to the cabinet."),
                ),
                ("is_active", models.BooleanField(db_default=True, default=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        Lower("email"),
                        name="accounts_user_email_once",
                        violation_error_message="Somebody with this e-mail address is there already.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_superuser", False), ("account", None), _connector="OR"),
                        name="accounts_user_superuser_of_no_account",
                        violation_error_message="A superuser belongs to no account.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Widget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", models.ForeignKey(on_delete=models.CASCADE, related_name="widgets", to="accounts.account")),
                (
                    "guid",
                    models.CharField(default=apps.accounts.models.new_guid, editable=False, max_length=32, unique=True),
                ),
                ("name", models.CharField(max_length=255)),
                (
                    "api_enabled",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Issuing a token does not enable it.",
                        verbose_name="Allow widget API (JS and REST)",
                    ),
                ),
                (
                    "allowed_origins",
                    ArrayField(
                        base_field=models.CharField(max_length=255),
                        blank=True,
                        default=list,
                        help_text="Origins whose pages may embed the widget, such as https://shop.example. None set means all.",
                        size=None,
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        db_default="Europe/Moscow",
                        default="Europe/Moscow",
                        help_text="Of the departments' hours, such as Europe/Berlin.",
                        max_length=64,
                    ),
                ),
                (
                    "seats",
                    models.PositiveIntegerField(
                        db_default=3, default=3, help_text="How many human agents may be active."
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="api_tokens", to="accounts.widget"),
                ),
                ("name", models.CharField(blank=True, db_default="", max_length=255)),
                (
                    "hint",
                    models.CharField(
                        editable=False, help_text="The first characters, to tell tokens apart.", max_length=12
                    ),
                ),
                ("digest", models.BinaryField(unique=True)),
                ("scopes", ArrayField(base_field=models.CharField(max_length=64), default=list, size=None)),
                ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires")),
                ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "verbose_name": "API token",
            },
        ),
        migrations.AddField(
            model_name="apitoken",
            name="last_used_at",
            field=models.DateTimeField(
                blank=True, editable=False, help_text="Up to two minutes late. Empty: not used yet.", null=True
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                choices=[("ru", "Русский"), ("en", "English")],
                db_default="",
                default="",
                help_text="Of the cabinet. None chosen means the browser's.",
                max_length=2,
            ),
        ),
    ]
