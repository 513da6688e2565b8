-- Companies as one would keep them in PostgreSQL to search them by the bench's queries.
CREATE EXTENSION pg_trgm;

CREATE TABLE companies (
  id integer PRIMARY KEY,
  name text NOT NULL,
  type text,
  industry text,
  country text,
  website text,
  ticker text,
  employees integer,
  followers integer,
  updated date,
  description text,
  summary text,
  specialities text,
  name_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', name)) STORED,
  description_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce(description, ''))) STORED,
  summary_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce(summary, ''))) STORED,
  specialities_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce(specialities, ''))) STORED,
  all_words tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('simple', name), 'A')
    || setweight(to_tsvector('simple', coalesce(summary, '')), 'B')
    || setweight(to_tsvector('simple', coalesce(specialities, '')), 'C')
    || setweight(to_tsvector('simple', coalesce(description, '')), 'D')
  ) STORED
);

CREATE TABLE technologies (
  company integer NOT NULL,
  technology text NOT NULL,
  words tsvector GENERATED ALWAYS AS (to_tsvector('simple', technology)) STORED
);

CREATE TABLE locations (company integer NOT NULL, country text, is_primary boolean);

CREATE TABLE funding_rounds (company integer NOT NULL, type text, money bigint);
