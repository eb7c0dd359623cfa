-- As they were then; as they are now: apps/chats/triggers.sql (docs/adr/0017).

CREATE OR REPLACE FUNCTION chats_note_unsearched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chats_unsearchedmessage (widget_id, message_id)
    SELECT DISTINCT widget_id, id FROM (VALUES (OLD.widget_id, OLD.id), (NEW.widget_id, NEW.id)) AS touched (widget_id, id)
    WHERE id IS NOT NULL;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_message_unsearched_late
AFTER INSERT ON chats_message FOR EACH ROW
WHEN (NEW.id NOT BETWEEN coalesce(pg_sequence_last_value('chats_message_id_seq'), 0) - 1000
      AND coalesce(pg_sequence_last_value('chats_message_id_seq'), 0))
EXECUTE FUNCTION chats_note_unsearched();

CREATE OR REPLACE TRIGGER chats_message_unsearched
AFTER UPDATE OF widget_id, chat_id, is_internal, body ON chats_message FOR EACH ROW
WHEN ((OLD.widget_id, OLD.chat_id, OLD.is_internal, OLD.body)
      IS DISTINCT FROM (NEW.widget_id, NEW.chat_id, NEW.is_internal, NEW.body))
EXECUTE FUNCTION chats_note_unsearched();

CREATE OR REPLACE FUNCTION chats_forget_searched() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    DELETE FROM chats_searchedmessage WHERE message_id IN (SELECT id FROM deleted);
    INSERT INTO chats_unsearchedmessage (widget_id, message_id) SELECT widget_id, id FROM deleted;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_messages_searched_deleted
AFTER DELETE ON chats_message REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION chats_forget_searched();

CREATE OR REPLACE FUNCTION chats_search_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM chats_searchedmessage;
    DELETE FROM chats_unsearchedmessage;
    DELETE FROM chats_searchprogress;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_messages_searched_truncated
AFTER TRUNCATE ON chats_message FOR EACH STATEMENT EXECUTE FUNCTION chats_search_anew();
