FROM node:24.21.0-slim

# The last option is for commands, as in `npm run cli`; the server uses a smaller value.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY LICENSE ./
COPY src ./src

# Uploads, which nodes may share, and Node's compile cache.
RUN mkdir -p /data/media node_modules/.cache && chown -R node:node /data node_modules/.cache
USER node
VOLUME /data
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm: signals have to reach the server.
CMD ["node", "--max-semi-space-size=8", "src/main.ts"]
