from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_user_provider_subject"),
        ("support", "0005_actions_in_chat"),
    ]

    operations = [
        migrations.CreateModel(
            name="SupportDesk",
            fields=[],
            options={
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("accounts.widget",),
        ),
    ]
