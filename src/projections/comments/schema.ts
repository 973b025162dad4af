/** Tables of comments. Counts are stored twice, once negated. */
export const commentTables = `
CREATE TABLE comments (
  id INTEGER PRIMARY KEY, touched INTEGER NOT NULL, kind TEXT NOT NULL, post INTEGER NOT NULL, parent INTEGER NOT NULL,
  author INTEGER NOT NULL, status TEXT NOT NULL, remembered TEXT, resolution TEXT NOT NULL,
  date TEXT NOT NULL, date_gmt TEXT NOT NULL, written TEXT NOT NULL,
  mail TEXT NOT NULL, network TEXT NOT NULL, twin INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE INDEX comments_by_parent ON comments (parent);

-- Their sealed fields; folded: the text that searches read.
CREATE TABLE comment_texts (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, url TEXT NOT NULL, ip TEXT NOT NULL,
  agent TEXT NOT NULL, content TEXT NOT NULL, folded TEXT NOT NULL, sum INTEGER NOT NULL
) STRICT;

-- Number of comments per entry or media item; post -1: of the whole site.
CREATE TABLE comment_counts (
  post INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, n INTEGER NOT NULL, un INTEGER NOT NULL,
  PRIMARY KEY (post, kind, status)
) STRICT, WITHOUT ROWID;

-- Entries and media items with comments that were trashed or deleted: the positions of the last such events, 0 for none.
-- Applied when comments are read.
CREATE TABLE comment_losses (
  post INTEGER PRIMARY KEY, trashed INTEGER NOT NULL, deleted INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;

-- Comments that were deleted or moved to another entry, in log order.
CREATE TABLE lost_comments (
  position INTEGER PRIMARY KEY, id INTEGER NOT NULL, post INTEGER NOT NULL, parent INTEGER NOT NULL
) STRICT;
CREATE INDEX lost_comments_by_id ON lost_comments (id);
CREATE INDEX lost_comments_by_post ON lost_comments (post);
CREATE TABLE moved_comments (position INTEGER PRIMARY KEY, id INTEGER NOT NULL, post INTEGER NOT NULL) STRICT;
CREATE INDEX moved_comments_by_post ON moved_comments (post);

-- Trigrams: which comments contain three consecutive characters.
CREATE VIRTUAL TABLE comment_grams USING fts5 (
  folded, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
`;

export const commentLateIndexes = `
CREATE INDEX IF NOT EXISTS comments_by_status ON comments (status, kind);
CREATE INDEX IF NOT EXISTS comments_by_status_date ON comments (status, kind, date);
CREATE INDEX IF NOT EXISTS comments_by_status_date_gmt ON comments (status, kind, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_date ON comments (date);
CREATE INDEX IF NOT EXISTS comments_by_date_gmt ON comments (date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_post ON comments (post, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_author ON comments (author, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_mail ON comments (mail, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_network ON comments (network, written);
CREATE INDEX IF NOT EXISTS comments_by_twin ON comments (twin);
CREATE INDEX IF NOT EXISTS comments_touched ON comments (touched);
`;
