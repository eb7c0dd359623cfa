-- Triggers of the reports app and their functions: the current source, beside the models (docs/adr/0017, docs/adr/0030).

-- They note which chats' rows have changed that episodes were read off. A message that is stored as it is said is noted
-- nowhere: the job finds it by its id, as that is newer than all it has read. Ids are taken before they are stored; one
-- that is stored so late that a thousand others were taken meanwhile is noted (`actions/episodes.py: LATE_IDS`), and so
-- is one that this installation has not given.
-- One note for each chat and transaction is enough: until it ends, nobody takes its note away.

CREATE OR REPLACE FUNCTION reports_message_changed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id)
    SELECT DISTINCT touched.widget_id, touched.chat_id
    FROM (VALUES (OLD.widget_id, OLD.chat_id), (NEW.widget_id, NEW.chat_id)) AS touched (widget_id, chat_id)
    WHERE touched.widget_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM reports_stalechat s WHERE s.widget_id = touched.widget_id AND s.chat_id = touched.chat_id
        AND s.xmin = pg_current_xact_id()::xid
    );
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER reports_message_late
AFTER INSERT ON chats_message FOR EACH ROW
WHEN (NEW.id NOT BETWEEN coalesce(pg_sequence_last_value('chats_message_id_seq'), 0) - 1000
      AND coalesce(pg_sequence_last_value('chats_message_id_seq'), 0))
EXECUTE FUNCTION reports_message_changed();

CREATE OR REPLACE TRIGGER reports_message_changed
AFTER UPDATE OF widget_id, chat_id, created_at, sender_kind, is_internal, via, origin, type, body, details, agent_id,
                assistant_id, language, page ON chats_message FOR EACH ROW
WHEN ((OLD.widget_id, OLD.chat_id, OLD.created_at, OLD.sender_kind, OLD.is_internal, OLD.via, OLD.origin, OLD.type,
       OLD.body, OLD.agent_id, OLD.assistant_id, OLD.language, OLD.page,
       coalesce(OLD.details ? 'deleted_at', false), OLD.details -> 'by_person')
      IS DISTINCT FROM
      (NEW.widget_id, NEW.chat_id, NEW.created_at, NEW.sender_kind, NEW.is_internal, NEW.via, NEW.origin, NEW.type,
       NEW.body, NEW.agent_id, NEW.assistant_id, NEW.language, NEW.page,
       coalesce(NEW.details ? 'deleted_at', false), NEW.details -> 'by_person'))
EXECUTE FUNCTION reports_message_changed();

-- Of the rows of a statement that go: one note for each chat.
CREATE OR REPLACE FUNCTION reports_rows_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id) SELECT DISTINCT widget_id, chat_id FROM deleted;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER reports_messages_deleted
AFTER DELETE ON chats_message REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION reports_rows_deleted();

-- Of steps only those that a person or a machine makes seldom: none is written by a plain message.
CREATE OR REPLACE TRIGGER reports_step_stored
AFTER INSERT ON chats_chatstep FOR EACH ROW
WHEN (NEW.kind IN ('closed', 'waits', 'dealt_with') OR NEW.department_id IS NOT NULL)
EXECUTE FUNCTION reports_message_changed();

CREATE OR REPLACE TRIGGER reports_step_changed
AFTER UPDATE OF widget_id, chat_id, kind, agent_id, department_id, comment, after_message_id, at
ON chats_chatstep FOR EACH ROW
EXECUTE FUNCTION reports_message_changed();

CREATE OR REPLACE TRIGGER reports_steps_deleted
AFTER DELETE ON chats_chatstep REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION reports_rows_deleted();

CREATE OR REPLACE TRIGGER reports_rating_changed
AFTER INSERT OR UPDATE ON chats_rating FOR EACH ROW
EXECUTE FUNCTION reports_message_changed();

CREATE OR REPLACE TRIGGER reports_ratings_deleted
AFTER DELETE ON chats_rating REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION reports_rows_deleted();

CREATE OR REPLACE TRIGGER reports_request_changed
AFTER INSERT OR UPDATE OF widget_id, chat_id, after_message_id, at ON chats_ratingrequest FOR EACH ROW
EXECUTE FUNCTION reports_message_changed();

CREATE OR REPLACE TRIGGER reports_requests_deleted
AFTER DELETE ON chats_ratingrequest REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION reports_rows_deleted();

-- A person's chats are derived together: these note all chats of the people to whom some contacts belong.
CREATE OR REPLACE FUNCTION reports_note_people(contacts bigint[]) RETURNS void
LANGUAGE sql SET enable_seqscan = off AS $$
    WITH person AS (
        SELECT coalesce(j.first_id, touched.id) AS id
        FROM unnest(contacts) AS touched (id) LEFT JOIN chats_contactjoin j ON j.contact_id = touched.id
    ), theirs AS (
        SELECT id FROM person UNION SELECT j.contact_id FROM chats_contactjoin j JOIN person ON j.first_id = person.id
    )
    INSERT INTO reports_stalechat (widget_id, chat_id)
    SELECT c.widget_id, c.id FROM chats_chat c JOIN theirs ON c.contact_id = theirs.id
$$;

CREATE OR REPLACE FUNCTION reports_chat_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id)
    SELECT DISTINCT widget_id, id FROM (VALUES (OLD.widget_id, OLD.id), (NEW.widget_id, NEW.id)) AS touched (widget_id, id);
    IF OLD.contact_id <> NEW.contact_id THEN
        PERFORM reports_note_people(ARRAY[OLD.contact_id, NEW.contact_id]);
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER reports_chat_changed
AFTER UPDATE OF widget_id, contact_id, department_id, channel, internal, status ON chats_chat FOR EACH ROW
WHEN ((OLD.widget_id, OLD.contact_id, OLD.department_id, OLD.channel, OLD.internal, OLD.status = 'spam')
      IS DISTINCT FROM
      (NEW.widget_id, NEW.contact_id, NEW.department_id, NEW.channel, NEW.internal, NEW.status = 'spam'))
EXECUTE FUNCTION reports_chat_changed();

CREATE OR REPLACE FUNCTION reports_chats_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id) SELECT widget_id, id FROM deleted;
    PERFORM reports_note_people(ARRAY(SELECT DISTINCT contact_id FROM deleted));
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER reports_chats_deleted
AFTER DELETE ON chats_chat REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION reports_chats_deleted();

CREATE OR REPLACE FUNCTION reports_join_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM reports_note_people(array_remove(ARRAY[OLD.contact_id, OLD.first_id, NEW.contact_id, NEW.first_id], NULL));
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER reports_join_changed
AFTER INSERT OR UPDATE OR DELETE ON chats_contactjoin FOR EACH ROW
EXECUTE FUNCTION reports_join_changed();

-- All rows are gone, and ids may begin anew.
CREATE OR REPLACE FUNCTION reports_derive_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id) SELECT widget_id, chat_id FROM reports_derivedchat;
    UPDATE reports_episodeprogress SET settled_id = 0, seen_id = NULL;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER reports_messages_truncated
AFTER TRUNCATE ON chats_message FOR EACH STATEMENT EXECUTE FUNCTION reports_derive_anew();

CREATE OR REPLACE TRIGGER reports_chats_truncated
AFTER TRUNCATE ON chats_chat FOR EACH STATEMENT EXECUTE FUNCTION reports_derive_anew();
