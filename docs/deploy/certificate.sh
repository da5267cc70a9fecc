#!/bin/sh
# sh docs/deploy/certificate.sh FOLDER NAME [HOST]    makes NAME.key and NAME.crt, valid for 90 days (secrets.md); needs OpenSSL 3
# HOST, such as DNS:db.example,IP:10.0.0.5, makes the certificate of a server. The first run makes the authority, ca.key and ca.crt.
set -eu
umask 077
mkdir -p "$1" && cd "$1"
curve='ec -pkeyopt ec_paramgen_curve:P-256 -noenc'
[ -f ca.key ] || openssl req -x509 -newkey $curve -subj '/CN=Rent advance' -days 3650 -keyout ca.key -out ca.crt
use=clientAuth; [ $# = 2 ] || use="serverAuth -addext subjectAltName=$3"
openssl req -newkey $curve -subj "/CN=$2" -addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=$use -keyout "$2.key" |
  openssl x509 -req -copy_extensions copy -CA ca.crt -CAkey ca.key -days 90 -out "$2.crt"
chmod 644 ./*.crt
