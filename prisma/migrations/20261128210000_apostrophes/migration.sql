-- As before, and without two more apostrophes: ʻ of Polynesian names, and ‛. lib/domain/search-text.ts does the same.
CREATE OR REPLACE FUNCTION search_text(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  -- ASCII, as nearly every row.
  IF octet_length(given) = char_length(given) THEN
    RETURN lower(replace(replace(given, '''', ''), '`', '') COLLATE "C");
  END IF;
  RETURN lower(regexp_replace(normalize(replace(translate(given, 'øØđĐłŁı''’‘‛ʻʼ＇´`′', 'ooddlli'), 'ß', 'ss'), NFKD), '[\u0300-\u036f]', '', 'g'));
END;
$$;

-- Recomputes the text of the rows that contain one. A row that is saved meanwhile keeps its text until it is saved again.
UPDATE "applications" SET "lastName" = "lastName" WHERE "searchText" ~ '[‛ʻ]';
