/** The tests' database. The schema `shop` may be read, `hidden` may not. */
export const shop = `
CREATE SCHEMA shop; CREATE SCHEMA hidden; CREATE SCHEMA "Odd ""Schema";
CREATE TYPE shop.mood AS ENUM ('good', 'bad');
CREATE DOMAIN shop.email AS text CHECK (value LIKE '%@%');
CREATE TYPE shop.place AS (city text, zip text);
CREATE TABLE shop.customers (id int PRIMARY KEY, name text NOT NULL, email shop.email UNIQUE, region text, mood shop.mood, home shop.place);
COMMENT ON TABLE shop.customers IS 'Who buys'; COMMENT ON COLUMN shop.customers.region IS 'EU or US';
CREATE TABLE shop.orders (id bigserial PRIMARY KEY, customer_id int REFERENCES shop.customers, amount numeric(12,2),
  placed timestamptz, day date, tags text[], extra jsonb, paid boolean);
INSERT INTO shop.customers VALUES (1, 'Ada', 'ada@example.com', 'EU', 'good', ('Berlin', '10115')),
  (2, 'Bob', 'bob@example.com', 'US', 'bad', NULL), (3, 'Zoë', NULL, 'EU', NULL, NULL);
INSERT INTO shop.orders (customer_id, amount, placed, day, tags, extra, paid) VALUES
  (1, 12.50, '2024-01-31 12:00:00+01', '2024-01-31', '{a,b}', '{"n": 1}', true),
  (1, 7.25, '2024-02-29 00:00:00Z', '2024-02-29', '{}', '{"n": [1, {"x": "y"}]}', false),
  (2, 100, '2024-03-01 23:59:59Z', '2024-03-01', NULL, NULL, true), (NULL, NULL, NULL, NULL, '{c}', '{}', NULL);
CREATE TABLE shop."Odd ""Table" ("Select" int, "a""b" text, "ü c" text);
INSERT INTO shop."Odd ""Table" VALUES (1, 'x', 'y'), (2, NULL, 'z');
CREATE TABLE hidden.secrets (id int, word text); INSERT INTO hidden.secrets VALUES (1, 'swordfish');
CREATE VIEW shop.eu AS SELECT * FROM shop.customers WHERE region = 'EU';
CREATE SEQUENCE shop.counter;
CREATE FUNCTION shop.bump() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hidden.secrets VALUES (9, 'bump'); RETURN 1; END $$;
CREATE FUNCTION shop.peek() RETURNS text LANGUAGE sql STABLE AS 'SELECT word FROM hidden.secrets LIMIT 1';
CREATE FUNCTION shop.rows() RETURNS SETOF hidden.secrets LANGUAGE sql STABLE AS 'SELECT * FROM hidden.secrets';
CREATE FUNCTION shop.elevated() RETURNS int LANGUAGE sql IMMUTABLE SECURITY DEFINER AS 'SELECT 1';
CREATE FUNCTION shop.double(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
CREATE FUNCTION shop.touch(shop.customers) RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hidden.secrets VALUES (8, 'touch'); RETURN 1; END $$;
CREATE FUNCTION shop.shout(text, text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hidden.secrets VALUES (7, $1); RETURN $2; END $$;
CREATE OPERATOR shop.### (LEFTARG = text, RIGHTARG = text, FUNCTION = shop.shout);
CREATE FUNCTION shop.to_place(int) RETURNS shop.place LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hidden.secrets VALUES (6, 'cast'); RETURN NULL; END $$;
CREATE CAST (int AS shop.place) WITH FUNCTION shop.to_place(int);
CREATE FUNCTION shop.add_up(int, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hidden.secrets VALUES (5, 'sum'); RETURN 1; END $$;
CREATE AGGREGATE shop.total (int) (SFUNC = shop.add_up, STYPE = int, INITCOND = '0');
CREATE PROCEDURE shop.change() LANGUAGE sql AS 'DELETE FROM shop.orders';
CREATE TABLE shop.measures (id int, value float8, taken timestamp) PARTITION BY RANGE (id);
CREATE TABLE shop.measures_1 PARTITION OF shop.measures FOR VALUES FROM (0) TO (100);
CREATE TABLE shop.measures_2 PARTITION OF shop.measures FOR VALUES FROM (100) TO (200);
INSERT INTO shop.measures SELECT n, n / 3.0, timestamp '2024-01-01' + n * interval '1 hour' FROM generate_series(0, 199) n;
CREATE MATERIALIZED VIEW shop.regions AS SELECT region, count(*) AS customers FROM shop.customers GROUP BY region;
CREATE TABLE "Odd ""Schema"."t; DROP TABLE shop.orders; --" ("'; DELETE FROM shop.orders; --" int);
INSERT INTO "Odd ""Schema"."t; DROP TABLE shop.orders; --" VALUES (1);
ANALYZE;
`;

/** Selects a string that differs if anything in the server was changed. `$1` is the process number of another session. */
export const stateQuery = `
SELECT md5(concat_ws(E'\\n',
  (SELECT string_agg(x::text, ',' ORDER BY x.id) FROM shop.customers x), (SELECT string_agg(x::text, ',' ORDER BY x.id) FROM shop.orders x),
  (SELECT string_agg(x::text, ',' ORDER BY x.id) FROM shop.measures x), (SELECT string_agg(x::text, ',') FROM hidden.secrets x),
  (SELECT string_agg(x::text, ',') FROM shop."Odd ""Table" x), (SELECT string_agg(x::text, ',') FROM shop.regions x),
  (SELECT concat_ws(' ', last_value, is_called) FROM shop.counter), (SELECT concat_ws(' ', last_value, is_called) FROM shop.orders_id_seq),
  (SELECT string_agg(concat_ws(' ', oid, relname, relacl, relowner, relfilenode), ',' ORDER BY oid) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_'),
  (SELECT string_agg(concat_ws(' ', oid, proname, proowner), ',' ORDER BY oid) FROM pg_proc WHERE oid > 16000),
  (SELECT string_agg(concat_ws(' ', a.oid, a.rolname, a.rolsuper, a.rolpassword), ',' ORDER BY a.oid) FROM pg_authid a),
  (SELECT string_agg(concat_ws(' ', oid, datname), ',' ORDER BY oid) FROM pg_database),
  (SELECT string_agg(nspname, ',' ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_t'),
  (SELECT string_agg(concat_ws(' ', datname, setconfig), ',') FROM pg_db_role_setting s LEFT JOIN pg_database d ON d.oid = s.setdatabase),
  (SELECT count(*) FROM pg_largeobject_metadata), (SELECT count(*) FROM pg_prepared_xacts), (SELECT count(*) FROM pg_replication_slots),
  (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_stat_activity WHERE pid = $1),
  (SELECT count(*) FROM pg_locks WHERE mode IN ('RowShareLock', 'RowExclusiveLock', 'AccessExclusiveLock') AND pid <> pg_backend_pid()),
  (SELECT string_agg(name, ',' ORDER BY name) FROM pg_ls_dir(current_setting('data_directory')) name WHERE name !~ '^(postmaster|pg_internal|current)'),
  (SELECT string_agg(concat_ws(' ', name, setting), ',') FROM pg_file_settings),
  pg_conf_load_time()::text, (SELECT stats_reset::text FROM pg_stat_database WHERE datname = current_database()))) AS state`;
