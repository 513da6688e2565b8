// Reads a setting that may be wrong, so that the admin sees the problem beside the settings that are right.
import { ConfigurationError } from '../../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../../http/problem-error.ts';

/** A setting, or its problem. The problem contains no secret. */
export type SettingResult<T> = { value: T; problem: null } | { value: null; problem: string };

/** Reads a setting. @param read - throws ProblemError or ConfigurationError if it is wrong */
export function readSetting<T>(read: () => T): SettingResult<T> {
  try {
    return { value: read(), problem: null };
  } catch (error) {
    if (error instanceof ProblemError || error instanceof ConfigurationError)
      return { value: null, problem: error.message };
    throw error;
  }
}
