-- What was said, to search in; `rowid` is the event's id. It keeps the text:
-- only with it can an index overwrite words that are removed.
DROP TABLE IF EXISTS message_text;
CREATE VIRTUAL TABLE message_text USING fts5 (
  text,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO message_text (message_text, rank) VALUES ('secure-delete', 1);
