-- Triggers of the widget app and their functions: the current source, beside the models (docs/adr/0017).

-- The bytes of deleted icons are swept (docs/adr/0014), whoever deletes the rows: they go with a widget.

CREATE OR REPLACE FUNCTION widget_icons_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key)
    SELECT key FROM deleted UNION ALL SELECT still_key FROM deleted WHERE still_key <> ''
    ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER widget_icons_deleted
AFTER DELETE ON widget_icon REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION widget_icons_deleted();

-- A contact shows the user whom it was proved to be, whoever writes the proof: a session, an import, a process of the
-- release before.

CREATE OR REPLACE FUNCTION widget_visitor_verified() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_contact SET external_id = NEW.user_id WHERE id = NEW.contact_id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER widget_visitor_verified
AFTER INSERT ON widget_verifiedvisitor FOR EACH ROW
EXECUTE FUNCTION widget_visitor_verified();

-- A contact shows the consents that they gave, or refused, the newest first, whoever writes them.

CREATE OR REPLACE FUNCTION widget_consents_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_contact c SET consents = (
        SELECT jsonb_agg(jsonb_build_object(
            'key', newest.key, 'given', newest.given, 'text_sha256', newest.text_sha256, 'lang', newest.lang,
            'at', to_char(newest.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY newest.id DESC)
        FROM (SELECT * FROM widget_contactconsent w WHERE w.contact_id = c.id ORDER BY w.id DESC LIMIT 100) newest
    ) WHERE c.id IN (SELECT contact_id FROM changed);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER widget_consents_added
AFTER INSERT ON widget_contactconsent REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION widget_consents_changed();

CREATE OR REPLACE TRIGGER widget_consents_removed
AFTER DELETE ON widget_contactconsent REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION widget_consents_changed();

-- A chat shows the answers with which it began last, whoever writes them.

CREATE OR REPLACE FUNCTION widget_chat_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_chat c SET answers = (
        SELECT a.answers FROM widget_chatanswers a WHERE a.chat_id = c.id ORDER BY a.message_id DESC LIMIT 1
    ) WHERE c.id IN (SELECT chat_id FROM changed);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER widget_chat_answers_added
AFTER INSERT ON widget_chatanswers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION widget_chat_answered();

CREATE OR REPLACE TRIGGER widget_chat_answers_changed
AFTER UPDATE ON widget_chatanswers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION widget_chat_answered();
