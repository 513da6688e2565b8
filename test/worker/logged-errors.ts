// The error lines that the Worker logs during one test, parsed.
import { onTestFinished, vi } from 'vitest';

/**
 * Collects the error lines until the test ends, in place of printing them.
 * @returns the lines; they are added as they come
 */
export function captureErrorLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const log = vi
    .spyOn(console, 'error')
    .mockImplementation((line) => void lines.push(JSON.parse(String(line))));
  onTestFinished(() => log.mockRestore());
  return lines;
}
