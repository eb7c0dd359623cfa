import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Lower, Now

import apps.accounts.models
import apps.accounts.rules
import apps.core.database.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
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
                        violation_error_message="A user with this e-mail address already exists.",
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
        migrations.AddField(
            model_name="user",
            name="role",
            field=models.CharField(
                choices=[("owner", "owner"), ("manager", "manager"), ("viewer", "viewer")],
                db_default="viewer",
                default="viewer",
                help_text="In the cabinet: owners may do everything, managers all but people and the account; viewers read.",
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="Authenticator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="The human-readable name of this device.", max_length=64)),
                ("confirmed", models.BooleanField(default=True, help_text="Is this device ready for use?")),
                (
                    "throttling_failure_timestamp",
                    models.DateTimeField(
                        blank=True,
                        default=None,
                        help_text="A timestamp of the last failed verification attempt. Null if last attempt succeeded.",
                        null=True,
                    ),
                ),
                (
                    "throttling_failure_count",
                    models.PositiveIntegerField(default=0, help_text="Number of successive failed attempts."),
                ),
                ("key", apps.core.database.fields.EncryptedTextField(help_text="The secret, as hexadecimal digits.")),
                (
                    "last_step",
                    models.BigIntegerField(default=-1, help_text="When the last code was of, in steps of 30 s."),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="authenticator",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="BackupCodes",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="The human-readable name of this device.", max_length=64)),
                ("confirmed", models.BooleanField(default=True, help_text="Is this device ready for use?")),
                (
                    "throttling_failure_timestamp",
                    models.DateTimeField(
                        blank=True,
                        default=None,
                        help_text="A timestamp of the last failed verification attempt. Null if last attempt succeeded.",
                        null=True,
                    ),
                ),
                (
                    "throttling_failure_count",
                    models.PositiveIntegerField(default=0, help_text="Number of successive failed attempts."),
                ),
                (
                    "digests",
                    django.contrib.postgres.fields.ArrayField(base_field=models.BinaryField(), default=list, size=None),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="backup_codes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("object_pk", models.CharField(db_index=True, max_length=255, verbose_name="object pk")),
                ("object_id", models.BigIntegerField(blank=True, db_index=True, null=True, verbose_name="object id")),
                ("object_repr", models.TextField(verbose_name="object representation")),
                ("serialized_data", models.JSONField(null=True)),
                (
                    "action",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "create"), (1, "update"), (2, "delete"), (3, "access")],
                        db_index=True,
                        verbose_name="action",
                    ),
                ),
                ("changes_text", models.TextField(blank=True, verbose_name="change message")),
                ("changes", models.JSONField(null=True, verbose_name="change message")),
                (
                    "cid",
                    models.CharField(
                        blank=True, db_index=True, max_length=255, null=True, verbose_name="Correlation ID"
                    ),
                ),
                ("remote_addr", models.GenericIPAddressField(blank=True, null=True, verbose_name="remote address")),
                ("remote_port", models.PositiveIntegerField(blank=True, null=True, verbose_name="remote port")),
                (
                    "timestamp",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name="timestamp"),
                ),
                ("additional_data", models.JSONField(blank=True, null=True, verbose_name="additional data")),
                ("actor_email", models.CharField(blank=True, max_length=254, null=True, verbose_name="actor email")),
                ("account_id", models.BigIntegerField(editable=False, null=True)),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                (
                    "content_type",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contenttypes.contenttype",
                        verbose_name="content type",
                    ),
                ),
            ],
            options={
                "verbose_name": "change",
                "verbose_name_plural": "audit trail",
                "ordering": ["-timestamp"],
                "get_latest_by": "timestamp",
                "abstract": False,
                "indexes": [models.Index(fields=["account_id", "-id"], name="accounts_audit_list")],
            },
        ),
    ]
