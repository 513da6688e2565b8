// Anchors of headings as forges make them, so that links work on a forge and on the site.

/** Returns the anchor of a heading, without the number that a repeated heading gets. */
export const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
