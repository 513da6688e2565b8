// The production database (D1), as drizzle tables. `npm run db:generate` turns a change of them into a migration.
export * from './alerts.ts';
export * from './data-requests.ts';
export * from './erasures.ts';
export * from './registered-tables.ts';
export * from './request-rows.ts';
export * from './schedules.ts';
export * from './searches.ts';
export * from './teams.ts';
