#!/bin/sh
# Installs Rampe as a service of systemd, or brings an installation to this version. Run it as root from an unpacked archive:
#
#   tar -xzf rampe-VERSION-linux-x64-node20.tar.gz && rampe-VERSION/scripts/deploy/install.sh
#
# The program in /opt/rampe is replaced; settings in /etc/rampe/rampe.env and data in /var/lib/rampe are kept.
# With DESTDIR, it only lays the files into that folder: no user, no service.
set -eu

from=$(cd "$(dirname "$0")/../.." && pwd)
root=${DESTDIR:-}

fail() {
  echo "$1" >&2
  exit 1
}

[ -f "$from/build/server/serve.js" ] && [ -f "$from/THIRD-PARTY-LICENSES.txt" ] ||
  fail "This is no packed Rampe: make an archive with 'npm run pack-server', and unpack it."
node=$(command -v node) || fail "Node is missing: apt-get install nodejs (Rampe needs 20.19 or newer)."
node=$(readlink -f "$node")
(cd "$from" && "$node" -e 'new (require("better-sqlite3"))(":memory:").close()') 2>/dev/null ||
  fail "This archive was made for another machine or version of Node than $("$node" --version) on $(uname -m)."

if [ -z "$root" ]; then
  [ "$(id -u)" = 0 ] || fail "Run this as root."
  command -v systemctl >/dev/null || fail "There is no systemd here; README has other ways to run Rampe."
  case $node in /root/* | /home/*) fail "The service cannot read $node: install Node for all users." ;; esac
  find='import("./app/scan/browser/find-browser.mjs").then((the) => process.exit(the.findBrowser() ? 0 : 1))'
  # The service reads CHROME_PATH there.
  settings=
  [ ! -r /etc/rampe/rampe.env ] || settings=--env-file=/etc/rampe/rampe.env
  remedy="apt-get install --no-install-recommends chromium-headless-shell fonts-liberation, or set CHROME_PATH in /etc/rampe/rampe.env"
  # Ubuntu has Chromium only as a snap.
  ! grep -qs '^ID=ubuntu$' /etc/os-release ||
    remedy="npx --yes @puppeteer/browsers install chrome-headless-shell@stable --install-deps --path /opt/chrome, and set CHROME_PATH in /etc/rampe/rampe.env to the file that it names"
  (cd "$from" && HOME=/var/lib/rampe "$node" $settings -e "$find") ||
    fail "There is no browser to check pages with: $remedy"
  id rampe >/dev/null 2>&1 ||
    useradd --system --user-group --home-dir /var/lib/rampe --no-create-home --shell /usr/sbin/nologin rampe
fi

# Replaced as a whole, so that no file of the old version stays.
rm -rf "$root/opt/rampe.new"
install -d "$root/opt" "$root/etc/systemd/system" "$root/usr/local/sbin"
cp -R "$from" "$root/opt/rampe.new"
chmod -R u=rwX,go=rX "$root/opt/rampe.new"
[ -n "$root" ] || chown -R root:root /opt/rampe.new
# Keeps only the last version that has started.
if [ -e "$root/opt/rampe.old" ]; then
  rm -rf "$root/opt/rampe"
elif [ -e "$root/opt/rampe" ]; then
  mv "$root/opt/rampe" "$root/opt/rampe.old"
fi
mv "$root/opt/rampe.new" "$root/opt/rampe"

install -d -m 0750 "$root/etc/rampe"
[ -e "$root/etc/rampe/rampe.env" ] || install -m 0640 "$from/scripts/deploy/rampe.env" "$root/etc/rampe/rampe.env"
install -d -m 0700 "$root/var/lib/rampe" "$root/var/backups/rampe"
sed "s#/usr/bin/node#$node#" "$from/scripts/deploy/rampe.service" >"$root/etc/systemd/system/rampe.service"
sed "s#/usr/bin/node#$node#" "$from/scripts/deploy/rampe-admin" >"$root/usr/local/sbin/rampe-admin"
chmod 0644 "$root/etc/systemd/system/rampe.service"
chmod 0755 "$root/usr/local/sbin/rampe-admin"
if [ -n "$root" ]; then
  rm -rf "$root/opt/rampe.old"
  exit 0
fi

chown root:rampe /etc/rampe /etc/rampe/rampe.env
chown rampe:rampe /var/lib/rampe /var/backups/rampe
systemctl enable --quiet rampe
if [ ! -d /run/systemd/system ]; then
  rm -rf /opt/rampe.old
  echo "Rampe is installed, and starts with this machine."
  exit 0
fi
systemctl daemon-reload
systemctl restart rampe || fail "Rampe did not start: journalctl -u rampe says why. The version before this one, if any, is in /opt/rampe.old."
rm -rf /opt/rampe.old
echo "Rampe runs: $(systemctl show --property StatusText --value rampe). Settings: /etc/rampe/rampe.env"
