// The schema of the D1 database as drizzle tables. `npm run db:generate` creates a migration from a change.
export * from './alerts.ts';
export * from './console.ts';
export * from './data-requests.ts';
export * from './enrichments.ts';
export * from './erasures.ts';
export * from './jobs.ts';
export * from './oauth.ts';
export * from './operations.ts';
export * from './people.ts';
export * from './person-searches.ts';
export * from './registered-tables.ts';
export * from './request-rows.ts';
export * from './schedules.ts';
export * from './searches.ts';
export * from './teams.ts';
