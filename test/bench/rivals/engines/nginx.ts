// nginx with `proxy_cache`: one worker process, no log, no authentication.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VariantModule } from '../../harness/bench.ts';
import { startProvider } from '../../load/provider.ts';
import { formatCollect } from '../../load/request-text.ts';
import { measureRival } from '../measure.ts';
import { findFreePort, HOST, startProgram } from '../program.ts';

/** As root, nginx would switch to a user without access to the folder. */
const userDirective = process.getuid?.() === 0 ? 'user root;' : '';

/** Formats the configuration. @param port - to listen on; @param provider - the provider's port */
function formatSettings(dir: string, port: number, provider: number): string {
  return `
${userDirective}
worker_processes 1;
daemon off;
pid ${dir}/nginx.pid;
error_log stderr;
events { worker_connections 512; }
http {
  access_log off;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/temp;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  proxy_cache_path ${dir}/cache keys_zone=records:10m max_size=200m inactive=1d;
  upstream provider { server ${HOST}:${provider}; keepalive 16; }
  server {
    listen ${HOST}:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_cache records;
      proxy_cache_valid 200 30d;
      proxy_cache_lock on;
      add_header x-cache $upstream_cache_status;
    }
  }
}
`;
}

export const variant: VariantModule = {
  async missing() {
    const { error } = spawnSync('nginx', ['-v']);
    return error === undefined ? undefined : 'On Debian: apt-get install nginx-light.';
  },
  async measure({ dir, quick }) {
    const provider = await startProvider();
    try {
      const port = await findFreePort();
      const file = join(dir, 'nginx.conf');
      await writeFile(file, formatSettings(dir, port, provider.port));
      const stop = await startProgram('nginx', ['-p', dir, '-c', file], `http://${HOST}:${port}/`);
      try {
        return await measureRival(
          { host: HOST, port, text: formatCollect('none'), server: 'nginx', cache: 'HIT' },
          quick,
        );
      } finally {
        await stop();
      }
    } finally {
      provider.stop();
    }
  },
};
