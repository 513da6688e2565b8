// Rows as they go from a flight to whoever asked: an envelope goes as its text, which is written once however many ask, and
// parsed only by who looks into it.
import { decodeEnvelope, encodeEnvelope } from '../cache/envelope.ts';
import type { CallResult } from './types.ts';

type WithText<Row> = Row extends { envelope: unknown } ? Omit<Row, 'envelope'> & { text: string } : Row;

/** A row on its way. */
export type EncodedResult = WithText<CallResult>;

/** Answer of a flight on its way: its rows in the order of the calls. */
export interface EncodedResponse {
  rows: EncodedResult[];
}

/** Writes a row for its way. */
export function encodeResult(row: CallResult): EncodedResult {
  if (!('envelope' in row)) return row;
  const { envelope, ...told } = row;
  return { ...told, text: encodeEnvelope(envelope) };
}

/**
 * Reads a row that came.
 * @throws Error where its envelope is none, which no flight writes
 */
export function decodeResult(row: EncodedResult): CallResult {
  if (!('text' in row)) return row;
  const { text, ...told } = row;
  // Whether its time is over is for who asked to say.
  const envelope = decodeEnvelope(text, Number.NEGATIVE_INFINITY);
  if (envelope === undefined) throw new Error('A flight answered what is no envelope.');
  return { ...told, envelope };
}
