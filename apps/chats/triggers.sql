-- Triggers of the chats app and their functions: the current source, beside the models (docs/adr/0017).

-- ------------------------------------------------------------- statistics (docs/adr/0015)
-- They note which hours' rows have changed after they may have been counted. A row that is stored when it happens is noted
-- nowhere: a trigger looks at its time and does nothing. Late is what is 15 minutes after its own time
-- (`rules.statistics.LATE_AFTER`). The functions keep the plans they made first in a connection, perhaps for empty tables:
-- `enable_seqscan = off` has them look chats up by their index whatever the size.

CREATE OR REPLACE FUNCTION chats_message_changed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'messages'
    FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
    WHERE widget_id IS NOT NULL;
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT widget_id, chats_hour_of(created_at), 'responses' FROM chats_chat WHERE id IN (OLD.chat_id, NEW.chat_id);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_message_late
AFTER INSERT ON chats_message FOR EACH ROW
WHEN (NEW.created_at < clock_timestamp() - interval '15 minutes')
EXECUTE FUNCTION chats_message_changed();

CREATE OR REPLACE TRIGGER chats_message_changed
AFTER UPDATE OF widget_id, chat_id, created_at, sender_kind, is_internal ON chats_message FOR EACH ROW
WHEN ((OLD.widget_id, OLD.chat_id, OLD.created_at, OLD.sender_kind, OLD.is_internal)
      IS DISTINCT FROM (NEW.widget_id, NEW.chat_id, NEW.created_at, NEW.sender_kind, NEW.is_internal))
EXECUTE FUNCTION chats_message_changed();

CREATE OR REPLACE FUNCTION chats_messages_deleted() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'messages' FROM deleted
    WHERE created_at < clock_timestamp() - interval '15 minutes'
    UNION ALL
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'responses' FROM chats_chat
    WHERE id IN (SELECT chat_id FROM deleted WHERE created_at < clock_timestamp() - interval '15 minutes');
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_messages_deleted
AFTER DELETE ON chats_message REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION chats_messages_deleted();

CREATE OR REPLACE FUNCTION chats_chat_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'chats'
    FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
    WHERE widget_id IS NOT NULL;
    IF OLD IS NULL OR (OLD.widget_id, OLD.created_at) IS DISTINCT FROM (NEW.widget_id, NEW.created_at) THEN
        INSERT INTO chats_stalehour (widget_id, hour, kind)
        SELECT DISTINCT widget_id, chats_hour_of(created_at), 'responses'
        FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
        WHERE widget_id IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_chat_late
AFTER INSERT ON chats_chat FOR EACH ROW
WHEN (NEW.created_at < clock_timestamp() - interval '15 minutes')
EXECUTE FUNCTION chats_chat_changed();

CREATE OR REPLACE TRIGGER chats_chat_changed
AFTER UPDATE OF widget_id, created_at, channel, internal, handling, accepted_type, accepted_at, handled_type
ON chats_chat FOR EACH ROW
WHEN (least(OLD.created_at, NEW.created_at) < clock_timestamp() - interval '15 minutes'
      AND (OLD.widget_id, OLD.created_at, OLD.channel, OLD.internal, OLD.handling, OLD.accepted_type,
           OLD.accepted_at, OLD.handled_type)
      IS DISTINCT FROM (NEW.widget_id, NEW.created_at, NEW.channel, NEW.internal, NEW.handling, NEW.accepted_type,
                        NEW.accepted_at, NEW.handled_type))
EXECUTE FUNCTION chats_chat_changed();

CREATE OR REPLACE FUNCTION chats_chats_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT widget_id, hour, kind
    FROM (SELECT DISTINCT widget_id, chats_hour_of(created_at) FROM deleted
          WHERE created_at < clock_timestamp() - interval '15 minutes') AS touched (widget_id, hour),
         (VALUES ('chats'), ('responses')) AS kinds (kind);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_chats_deleted
AFTER DELETE ON chats_chat REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION chats_chats_deleted();

CREATE OR REPLACE FUNCTION chats_recount_tallies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_tallyprogress SET until = NULL;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_messages_truncated
AFTER TRUNCATE ON chats_message FOR EACH STATEMENT EXECUTE FUNCTION chats_recount_tallies();

CREATE OR REPLACE TRIGGER chats_chats_truncated
AFTER TRUNCATE ON chats_chat FOR EACH STATEMENT EXECUTE FUNCTION chats_recount_tallies();

-- ------------------------------------------------------------- searches of messages (docs/adr/0013)
-- They note which messages are not as the index of searches has them. A message that is stored as it is said is noted
-- nowhere: the job finds it by its id, and until then searches do. Ids are taken before they are stored; one that is stored
-- so late that a thousand others were taken meanwhile is noted (`actions/searches.py: LATE_IDS`), and so is one that this
-- installation has not given. What is deleted goes from the index's table at once; its note is for a job that reads it now.

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

-- ------------------------------------------------------------- files (docs/adr/0014)
-- The bytes of deleted files are swept, whoever deletes the rows: a contact's go with the contact.

CREATE OR REPLACE FUNCTION chats_files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER chats_files_deleted
AFTER DELETE ON chats_file REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION chats_files_deleted();

-- ------------------------------------------------------------- ratings
-- A rating that comes without its place (an export made before places were kept, another service's) stands behind the
-- messages that were there when it was given.

CREATE OR REPLACE FUNCTION chats_place_rating() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    NEW.after_message_id := coalesce((
        SELECT max(id) FROM chats_message WHERE chat_id = NEW.chat_id AND created_at <= NEW.rated_at
    ), 0);
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER chats_rating_without_place
BEFORE INSERT ON chats_rating FOR EACH ROW
WHEN (NEW.after_message_id = 0)
EXECUTE FUNCTION chats_place_rating();
