/**
 * The order in which endpoints are served: accounts take turns, and within an account its endpoints, so that an account with many
 * endpoints gets no more than one with a single one.
 */
export class Turns {
  private readonly accounts = new Map<string, Set<string>>();

  /** Adds an endpoint at the end of its account's; it keeps its place if it has one. */
  add(accountId: string, endpointId: string): void {
    const endpoints = this.accounts.get(accountId);
    if (endpoints) endpoints.add(endpointId);
    else this.accounts.set(accountId, new Set([endpointId]));
  }

  /** Removes an endpoint. */
  delete(accountId: string, endpointId: string): void {
    const endpoints = this.accounts.get(accountId);
    if (endpoints?.delete(endpointId) && endpoints.size === 0) this.accounts.delete(accountId);
  }

  /** Removes and returns the endpoint whose turn it is, and moves its account to the end; undefined when there is none. */
  take(): string | undefined {
    const [next] = this.accounts;
    if (!next) return undefined;
    const [accountId, endpoints] = next;
    const endpointId = endpoints.values().next().value!;
    endpoints.delete(endpointId);
    this.accounts.delete(accountId);
    if (endpoints.size > 0) this.accounts.set(accountId, endpoints);
    return endpointId;
  }

  /** Removes all endpoints. */
  clear(): void {
    this.accounts.clear();
  }
}
