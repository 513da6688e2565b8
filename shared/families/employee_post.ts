// employee_post: posts of employees.

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
import { createLabel, type FamilyDefinition } from './definition.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'post',
  variant: 'base',
  keyFields: { website: [], shorthand_name: [] },
  updatedField: 'created_at',
  defaultFields: ['author_name', 'date_published', 'article_body', 'reaction_count'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id'],
  search: [],
  preview: [],
  bulk: [],
};

export const prices = { record: 1, preview: 10 };

export const familyLabel = /* @__PURE__ */ createLabel('Posts', 'Standard', 'post', 'posts', {
  article_body: 'Text',
  employee_parent_id: 'Author ID',
});

/** Derived from the fields of a record. Ids are text because they exceed 2^53. */
export const fields = /* @__PURE__ */ defineMapping(() => ({
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

export const preview: FamilyDefinition['preview'] = [];

export const filters: FamilyDefinition['filters'] = [];

export const form: FamilyDefinition['form'] = null;

export const changedAt: FamilyDefinition['changedAt'] = null;
