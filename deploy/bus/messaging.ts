/** The import is dynamic because the messaging library is built after this file is loaded. */
export const messaging = () => import('@swim/messaging/client');
