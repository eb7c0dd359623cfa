"""Everything that the API sets can be set in the cabinet: each write of the API, and the page where it is done."""

import re

import yaml

from tests.architecture.source import APPS

CABINET = {
    "account_partial_update": "accounts_account_change",
    "agent_partial_update": "agents_agent_change",
    "agent_destroy": "agents_agent_suspend",
    "agent_set_avatar": "agents_agent_picture",
    "agent_remove_avatar": "agents_agent_picture",
    "agent_restore": "agents_agent_restore",
    "agent_suspend": "agents_agent_suspend",
    "invitation_create": "agents_invitation_invite",
    "invitation_destroy": "agents_invitation_revoke",
    "alert_acknowledge": "ai_alert_acknowledge",
    "assistant_create": "ai_assistant_add",
    "assistant_partial_update": "ai_assistant_change",
    "assistant_destroy": "ai_assistant_delete",
    "assistant_test_create": "ai_assistant_try_it",
    "credential_create": "ai_credential_add",
    "credential_partial_update": "ai_credential_change",
    "persona_version_revert": "learning_tunedassistant_change",
    "learning_tune": "learning_tunedassistant_change",
    "template_apply": "ai_assistant_from_template",
    "phrase_update": "ai_aisettings_phrases",
    "phrase_partial_update": "ai_aisettings_phrases",
    "ai_operator_create": "ai_aioperator_add",
    "ai_operator_partial_update": "ai_aioperator_change",
    "ai_operator_destroy": "ai_aioperator_delete",
    "ai_settings_partial_update": "ai_aisettings_change",
    "legal_entity_create": "billing_legalentity_add",
    "legal_entity_partial_update": "billing_legalentity_change",
    "legal_entity_destroy": "billing_legalentity_delete",
    "custom_channel_create": "messengers_channel_register",
    "department_create": "agents_department_add",
    "department_partial_update": "agents_department_change",
    "department_destroy": "agents_department_delete",
    "department_agents": "agents_department_change",
    "department_schedule": "agents_department_change",
    "external_operator_partial_update": "ai_externaloperator_change",
    "external_operator_destroy": "ai_externaloperator_revoke",
    "external_operator_force_drain": "ai_externaloperator_drain",
    "external_operator_lifecycle": "ai_externaloperator_activate",
    "probe_start_create": "ai_externaloperator_change",
    "crawler_update": "kb_crawler_change",
    "crawler_destroy": "kb_crawler_delete",
    "rules_create": "kb_rule_add",
    "rules_destroy": "kb_rule_delete",
    "rule_partial_update": "kb_rule_change",
    "rule_destroy": "kb_rule_delete",
    "upload_create": "kb_upload_add",
    "upload_destroy": "kb_upload_delete",
    "messenger_update": "messengers_connection_add",
    "messenger_destroy": "messengers_connection_disconnect",
    "messenger_verify": "messengers_connection_change",
    "cabinet_partial_update": "messengers_adcabinet_enable",
    "cabinet_destroy": "messengers_adcabinet_remove_it",
    "community_create": "messengers_community_add",
    "community_destroy": "messengers_community_remove_it",
    "community_primary": "messengers_community_choose",
    "support_ticket_close": "support_ticket_change",
    "support_ticket_reopen": "support_ticket_change",
    "department_hours_update": "agents_department_change",
    # The time zone; its dates are among the holidays. A week of its own is the API's alone so far.
    "hours_update": "accounts_widget_change",
    "routing_partial_update": "routing_widgetrouting_change",
    "department_routing_partial_update": "routing_departmentrouting_change",
    "places_partial_update": "routing_operatorrouting_change",
    "automation_create": "automations_automation_add",
    "automation_partial_update": "automations_automation_change",
    "automation_destroy": "automations_automation_delete",
    "automation_order": "automations_automation_up",
    "trial_try_out": "automations_automation_change",
    "stored_trial_try_out": "automations_automation_change",
    "undoing_undo": "automations_automation_undo_all",
    "run_undo": "automations_automationrun_undo",
    "macro_create": "automations_macro_add",
    "macro_partial_update": "automations_macro_change",
    "macro_destroy": "automations_macro_delete",
    "subscription_create": "webhooks_subscription_add",
    "subscription_partial_update": "webhooks_subscription_change",
    "subscription_destroy": "webhooks_subscription_delete",
    "subscription_redeliver": "webhooks_delivery_redeliver",
    "subscription_redeliver_failed": "webhooks_subscription_send_failed",
    "subscription_rotate_secret": "webhooks_subscription_replace_secret",
    "appearance_upload_icon": "widget_widgetlook_icons",
    "settings_set_language": "widget_widgetlook_change",
    "settings_partial_update": "widget_widgetlook_change",
    "translation_regenerate": "widget_widgetlook_translations",
    "evaluation_case_create": "ai_evaluationcase_add",
    "evaluation_case_partial_update": "ai_evaluationcase_change",
    "evaluation_case_destroy": "ai_evaluationcase_delete",
    "evaluation_create": "ai_assistant_evaluations",
    "evaluation_apply": "ai_evaluationrun_change",
    "rating_policy_partial_update": "reports_widgetratingpolicy_change",
    "chat_invitation_create": "widget_chatinvitation_add",
    "chat_invitation_partial_update": "widget_chatinvitation_change",
    "chat_invitation_destroy": "widget_chatinvitation_delete",
    "invitation_settings_partial_update": "widget_chatinvitation_invitation_settings",
    "question_update": "widget_questionset_change",
    "wish_create": "learning_wish_add",
    "wish_approve": "learning_wish_change",
    "wish_reject": "learning_wish_change",
    "wish_revert": "learning_wish_change",
    "article_create": "articles_article_add",
    "article_partial_update": "articles_article_change",
    "article_destroy": "articles_article_delete",
    "article_text_put": "articles_article_change",
    "article_text_destroy": "articles_article_remove_language",
    "article_text_publish": "articles_article_change",
    "article_text_unpublish": "articles_article_change",
    "article_telling_tell": "articles_article_tell",
    "article_gap_draft": "articles_widgetarticlegaps_change",
    "article_import_create": "articles_article_bring_in",
    "article_picture_create": "articles_article_pictures",
    "article_category_create": "articles_articlecategory_add",
    "article_category_partial_update": "articles_articlecategory_change",
    "article_category_destroy": "articles_articlecategory_delete",
    "help_center_partial_update": "articles_helpcenter_change",
    "help_domain_put": "articles_helpcenter_own_domain",
    "help_domain_check": "articles_helpcenter_own_domain",
    "console_chat_block": "chats_contact_block",
    "console_block_destroy": "chats_block_delete",
}
# What is no setting: words in chats, calls of programs, what browsers of visitors and operators do.
NO_SETTINGS = {
    "account_link_create": "an application's call of its customer",
    "account_revocation_create": "an application's call of its customer",
    "integration_create": "an application's call of itself",
    "integration_destroy": "an application's call of itself",
    "speech_to_text_create": "an application's call of its customer",
    "text_to_speech_create": "an application's call of its customer",
    "app_ticket_create": "an application's call of its customer",
    "app_ticket_status_create": "an application's call of its customer",
    "turn_create": "an application's call of its customer",
    "ai_reply_create": "an external operator's answer",
    "ai_settings_migrate": "settings of before become an assistant, once",
    "custom_channel_receive": "a person's message",
    "chat_close": "work in chats: the console",
    "message_create": "work in chats: the console",
    "chat_rate_request": "work in chats: the console",
    "chat_routing_route": "work in chats: the console",
    "chat_seen": "work in chats: the console",
    "chat_set_priority": "work in chats: the console",
    "chat_set_state": "work in chats: the console",
    "chat_transfer": "work in chats: the console",
    "chat_typing": "work in chats: the console",
    "contact_partial_update": "work in chats: the console's card",
    "contact_tag": "work in chats: the console's card",
    "file_create": "work in chats: the console",
    "support_chat_claim": "work of agents' programs",
    "support_chat_release": "work of agents' programs",
    "support_chat_reply": "work of agents' programs",
    "appearance_purge": "there is no cache to empty",
}


def writes() -> set[str]:
    """The ids of the writing operations of the API's contract for systems."""
    document = yaml.load((APPS.parent / "docs" / "openapi.yaml").read_text(), yaml.CSafeLoader)
    return {
        operation["operationId"]
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method in ("post", "put", "patch", "delete") and path.startswith("/api/v1/")
    }


def names_of_pages() -> set[str]:
    from django.contrib import admin

    def found(patterns: object) -> set[str]:
        names: set[str] = set()
        for pattern in patterns:  # type: ignore[attr-defined]
            names |= found(pattern.url_patterns) if hasattr(pattern, "url_patterns") else {pattern.name or ""}
        return names

    return found(admin.site.get_urls())


def test_each_write_of_the_api_has_its_page() -> None:
    assert writes() - CABINET.keys() - NO_SETTINGS.keys() == set()
    console = {name for name in CABINET if name.startswith("console_")}
    assert (CABINET.keys() | NO_SETTINGS.keys()) - writes() - console == set(), "rows of operations that are gone"
    assert CABINET.keys() & NO_SETTINGS.keys() == set()


def test_each_page_is_there() -> None:
    pages = names_of_pages()
    assert {name: page for name, page in CABINET.items() if page not in pages} == {}
    assert all(re.fullmatch(r"[a-z]+_[a-z]+_[a-z_]+", page) for page in CABINET.values())
