// The Worker's entry, as it is deployed.
import { createApp } from './app.ts';
import type { Env } from './env.ts';
import { platformEdges } from './services.ts';

export default createApp(platformEdges) satisfies ExportedHandler<Env>;
