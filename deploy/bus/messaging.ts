/** The messaging library, which has to be built by then. */
export const messaging = () => import('@swim/messaging/client');
