// npm run release closes the section of unreleased changes in the changelog.
import { expect, it } from 'vitest';
import { closeChangelog } from '../worker/commands/release/prepare.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Gateway\n- New.\n\n## 0.1.0\n\n- Old.\n';

it('moves unreleased changes below the version, and returns them as notes', () => {
  const { changelog, notes } = closeChangelog(CHANGELOG, '0.2.0');
  expect(changelog).toBe(CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0\n'));
  expect(notes).toBe('### Gateway\n- New.\n');
});

it('refuses a version that is released, and a release without changes', () => {
  expect(() => closeChangelog(CHANGELOG, '0.1.0')).toThrow('0.1.0 is released already');
  const { changelog } = closeChangelog(CHANGELOG, '0.2.0');
  expect(() => closeChangelog(changelog, '0.3.0')).toThrow('has no changes');
});
