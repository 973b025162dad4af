FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY src ./src
COPY plugins ./plugins
COPY packages ./packages
COPY tools/build.ts ./tools/build.ts
# What the package holds, with only those files of other packages that are run.
RUN node tools/build.ts && rm -r src plugins packages tools package-lock.json .npmrc \
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete \
 && find node_modules -type d \( -name test -o -name tests -o -name docs -o -name benchmarks \) -prune -exec rm -r {} +

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Palimpsest" \
  org.opencontainers.image.description="An event-sourced content store with a JSON REST interface" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="Apache-2.0"

# The last option is for commands, as in `npm run cli`; the server uses a smaller value.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_OPTIONS=--max-semi-space-size=16
# SQLite keeps what it may have to take back in temporary files.
ENV SQLITE_TMPDIR=/data
# Else the allocator keeps what long texts took.
ENV MALLOC_MMAP_THRESHOLD_=1048576
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app ./
COPY LICENSE ./

# Uploads, which nodes may share. Nothing else is written, so that the root file system may be read-only.
RUN ln -s /app/dist/bin.js /usr/local/bin/palimpsest && groupadd -g 1000 node && useradd -u 1000 -g node node \
 && mkdir -p /data/media && chown -R node:node /data
USER node
VOLUME /data
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm: signals have to reach the server.
CMD ["node", "--max-semi-space-size=8", "dist/bin.js", "start"]
