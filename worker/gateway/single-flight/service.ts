// The RPC interface of a single-flight object.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { EncodedResponse } from './result-codec.ts';
import type { ErasedAnswers, StoredAnswer } from './storage/answer-repository.ts';
import type { SingleFlightRequest } from './types.ts';

/** Records that a data request delivered. */
export interface DeliveredRecords {
  /** The provider's identity. */
  identity: string;
  family: Family;
  records: DataRecord[];
  /** Milliseconds since 1970. */
  fetchedAt: number;
}

/** A shard of the single flight; `SingleFlightObject` describes the methods. */
export interface SingleFlightService {
  fetchCalls(request: SingleFlightRequest): Promise<EncodedResponse>;
  acceptAnswer(name: string, answer: StoredAnswer): void;
  storeRecords(delivery: DeliveredRecords): Promise<void>;
  erase(pseudonyms: string[], names: string[]): Promise<ErasedAnswers>;
  cancelCalls(team: string, cancelId: string): number;
}
