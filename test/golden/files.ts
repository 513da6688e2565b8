// Reads JSON files in Node.
import { readFileSync } from 'node:fs';

/**
 * Reads a JSON file.
 * @returns the unchecked value
 */
export function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
