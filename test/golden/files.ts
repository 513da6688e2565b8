// Reads JSON files in Node.
import { readFileSync } from 'node:fs';

/**
 * Reads a file as JSON.
 * @returns what it holds, unchecked
 */
export function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
