-- The terms of a field are read from search_postings.
DROP TRIGGER search_terms_of_postings;
DROP TABLE search_terms;
