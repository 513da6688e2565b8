// The stand-ins that npm start contains: a receiver of alerts, and Cloudflare Access in front of the console.
export { ACCESS_PATH, assertIdentity, createAccessIssuer } from './access-issuer.tsx';
export { ALERTS_PATH, createAlertReceiver } from './alert-receiver.tsx';
