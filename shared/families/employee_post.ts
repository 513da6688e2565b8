// Employees' posts: everything that is true of this family alone.

import type { Mapping } from '../index-fields/mapping.ts';
import {
  all,
  day,
  dayOrTime,
  exactTextOrNull,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  mapping,
  nested,
  storedText,
  text,
} from '../index-fields/parts.ts';
import type { Filter } from '../query/filters.ts';
import type {
  ChangedAt,
  FamilyFacts,
  FamilyLabel,
  FamilyOperations,
  Prices,
  SearchForm,
} from './definition.ts';

export const facts: FamilyFacts = {
  subject: 'post',
  variant: 'base',
  keyFields: { website: [], shorthand_name: [] },
  updatedField: 'created_at',
  defaultFields: ['author_name', 'date_published', 'article_body', 'reaction_count'],
};

export const operations: FamilyOperations = { collect: ['id'], search: [], preview: [], bulk: [] };

export const prices: Prices = { record: 1, preview: 10 };

export const label: FamilyLabel = { name: 'Posts', one: 'post', many: 'posts' };

/** They follow the record's fields; ids are text, since they pass 2^53. */
export const fields: Mapping = /* @__PURE__ */ mapping(() => ({
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
}));

export const preview: readonly string[] = [];

export const filters: readonly Filter[] = [];

export const form: SearchForm | null = null;

/** Nothing can be searched. */
export const changedAt: ChangedAt | null = null;
