-- Triggers of the knowledge base and their functions: the current source, beside the models (docs/adr/0017).

-- Counts rules by widget, status and source as they come (1) and go (-1): GET /v1/kb/status and /sources count nothing.
-- An update goes first and comes then, so no count falls below what is there.

CREATE OR REPLACE FUNCTION kb_rules_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign integer := TG_ARGV[0];
BEGIN
    IF sign > 0 THEN
        INSERT INTO kb_knowledgebase (widget_id, due_at) SELECT DISTINCT widget_id, NULL::timestamptz FROM moved
        ON CONFLICT (widget_id) DO NOTHING;
    END IF;
    WITH by_source AS (
        SELECT source_id, sign * count(*) AS n FROM moved GROUP BY source_id
    ), counted AS (
        UPDATE kb_source s SET chunks = s.chunks + b.n FROM by_source b WHERE s.id = b.source_id
        RETURNING s.widget_id, s.chunks AS now, s.chunks - b.n AS before
    ), filled AS (
        SELECT widget_id, sum((now > 0)::integer - (before > 0)::integer) AS n FROM counted GROUP BY widget_id
    ), by_widget AS (
        SELECT widget_id, sign * count(*) AS rules,
               sign * count(*) FILTER (WHERE embedding_status = 'ready') AS ready,
               sign * count(*) FILTER (WHERE embedding_status = 'pending') AS pending,
               sign * count(*) FILTER (WHERE embedding_status = 'failed') AS failed,
               sign * count(*) FILTER (WHERE embedding_status = 'none') AS none
        FROM moved GROUP BY widget_id
    )
    UPDATE kb_knowledgebase k SET
        rules = k.rules + b.rules, sources = k.sources + coalesce(f.n, 0), ready = k.ready + b.ready,
        pending = k.pending + b.pending, failed = k.failed + b.failed, none = k.none + b.none,
        last_indexed_at = CASE WHEN sign > 0 THEN statement_timestamp() ELSE k.last_indexed_at END
    FROM by_widget b LEFT JOIN filled f USING (widget_id) WHERE k.widget_id = b.widget_id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER kb_rules_added
AFTER INSERT ON kb_rule REFERENCING NEW TABLE AS moved FOR EACH STATEMENT
EXECUTE FUNCTION kb_rules_counted('1');

CREATE OR REPLACE TRIGGER kb_rules_changed_from
AFTER UPDATE ON kb_rule REFERENCING OLD TABLE AS moved FOR EACH STATEMENT
EXECUTE FUNCTION kb_rules_counted('-1');

CREATE OR REPLACE TRIGGER kb_rules_changed_to
AFTER UPDATE ON kb_rule REFERENCING NEW TABLE AS moved FOR EACH STATEMENT
EXECUTE FUNCTION kb_rules_counted('1');

CREATE OR REPLACE TRIGGER kb_rules_removed
AFTER DELETE ON kb_rule REFERENCING OLD TABLE AS moved FOR EACH STATEMENT
EXECUTE FUNCTION kb_rules_counted('-1');

-- The bytes of deleted documents are swept (docs/adr/0014), whoever deletes the rows: they go with a widget.

CREATE OR REPLACE FUNCTION kb_uploads_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER kb_uploads_deleted
AFTER DELETE ON kb_upload REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION kb_uploads_deleted();
