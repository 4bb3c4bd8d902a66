"""Wheels as archives: read, written anew with more files, always the same bytes from the same content."""

import base64
import hashlib
import zipfile
from pathlib import PurePosixPath


def read(path):
    """Content of the files of a wheel, by name."""
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def record_of(files, folder):
    """The list of a wheel's files with their checksums."""
    lines = []
    for name in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(files[name])}\n")
    return "".join([*lines, f"{folder}/RECORD,,\n"]).encode()


def write(path, files, time):
    """Writes a wheel; its list of files is made here, and what describes it comes last, as the format recommends."""
    folder = next(name for name in files if name.endswith(".dist-info/METADATA")).split("/")[0]
    files = {name: content for name, content in files.items() if name != f"{folder}/RECORD"}
    files[f"{folder}/RECORD"] = record_of(files, folder)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files, key=lambda name: (name.startswith(folder), name)):
            info = zipfile.ZipInfo(name, time)
            library = PurePosixPath(name).suffix in (".so", ".pyd", ".dylib")
            info.external_attr = (0o100755 if library else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, files[name])
