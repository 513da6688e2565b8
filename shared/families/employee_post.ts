// employee_post: posts of employees.

import type { Mapping } from '../index-fields/mapping.ts';
import {
  date,
  dateOrDateTime,
  defineMapping,
  exactTextOrNull,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  nested,
  storedText,
  text,
  withType,
} from '../index-fields/parts.ts';
import type { Filter } from '../query/filters.ts';
import {
  type ChangedAt,
  createLabel,
  type FamilyInfo,
  type FamilyLabel,
  type FamilyOperations,
  type Prices,
  type SearchForm,
} from './definition.ts';

export const info: FamilyInfo = {
  subject: 'post',
  variant: 'base',
  keyFields: { website: [], shorthand_name: [] },
  updatedField: 'created_at',
  defaultFields: ['author_name', 'date_published', 'article_body', 'reaction_count'],
};

export const operations: FamilyOperations = { collect: ['id'], search: [], preview: [], bulk: [] };

export const prices: Prices = { record: 1, preview: 10 };

export const familyLabel: FamilyLabel = /* @__PURE__ */ createLabel('Posts', 'Standard', 'post', 'posts', {
  article_body: 'Text',
  employee_parent_id: 'Author ID',
});

/** Derived from the fields of a record. Ids are text because they exceed 2^53. */
export const fields: Mapping = /* @__PURE__ */ defineMapping(() => ({
  id: keyword,
  employee_parent_id: keywordOrNull,
  ...withType('author_name author_profile_url author_headline url', exactTextOrNull),
  ...withType('author_posts_count reaction_count comment_count', integerOrMinusOne),
  date_published: date,
  created_at: dateOrDateTime,
  article_body: text,
  image_url: storedText,
  hashtags: keywordOrNull,
  mentions: nested(withType('full_name url', exactTextOrNull)),
  comments: nested({
    ...withType('author_name author_profile_url author_headline', exactTextOrNull),
    comment: text,
    reaction_count: integerOrMinusOne,
    date_published: dateOrDateTime,
  }),
}));

export const preview: readonly string[] = [];

export const filters: readonly Filter[] = [];

export const form: SearchForm | null = null;

export const changedAt: ChangedAt | null = null;
