import type { Exchange } from '../exchange.js';
import { readOpenApi } from '../pages.js';
import type { McpEndpoint } from './mcp-endpoint.js';

/**
 * Loads the endpoint of the Model Context Protocol with its first message: its packages and tools take 5 MB, which a gateway without
 * assistants does not need.
 */
export class LateMcpEndpoint {
  private loaded: Promise<McpEndpoint> | null = null;

  /** Answers one message, as `McpEndpoint` does. */
  async answer(exchange: Exchange): Promise<void> {
    this.loaded ??= load().catch((error: unknown) => {
      // The next message tries again.
      this.loaded = null;
      throw error;
    });
    return (await this.loaded).answer(exchange);
  }
}

async function load(): Promise<McpEndpoint> {
  const [{ McpEndpoint }, { toolsOf }, document] = await Promise.all([
    import('./mcp-endpoint.js'),
    import('./tools.js'),
    readOpenApi(),
  ]);
  return new McpEndpoint(toolsOf(document));
}
