// The index fields of employees' posts. They follow the record's fields; ids are text, since they pass 2^53.
import type { Mapping } from './mapping.ts';
import {
  all,
  day,
  dayOrTime,
  exactTextOrNull,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  nested,
  storedText,
  text,
} from './parts.ts';

export const employeePost: Mapping = {
  properties: {
    id: keyword,
    employee_parent_id: keywordOrNull,
    ...all('author_name author_profile_url author_headline url', exactTextOrNull),
    ...all('author_posts_count reaction_count comment_count', integerOrMinusOne),
    date_published: day,
    created_at: dayOrTime,
    article_body: text,
    image_url: storedText,
    hashtags: keywordOrNull,
    mentions: nested(all('full_name url', exactTextOrNull)),
    comments: nested({
      ...all('author_name author_profile_url author_headline', exactTextOrNull),
      comment: text,
      reaction_count: integerOrMinusOne,
      date_published: dayOrTime,
    }),
  },
};
