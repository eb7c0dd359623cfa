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
