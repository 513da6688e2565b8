// Queue messages and Workflow parameters of data requests.
import * as z from 'zod';

/** Message of the webhook queue: one provider webhook of a data request. */
export const webhookMessageSchema = z.object({ request: z.string(), body: z.string() });
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

/** The event that ends the wait of a Workflow instance. */
export const WAKE_EVENT = 'wake';

/** Parameters of the Workflow of a data request. */
export interface WorkflowParams {
  requestId: string;
}
