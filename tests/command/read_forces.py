"""Prints the array `force` of the lines of a .vtp file, read by VTK, in ascending order.   read_forces.py FILE"""

import sys

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

reader = vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
forces = vtk_to_numpy(reader.GetOutput().GetCellData().GetArray("force"))
print(" ".join("%.17g" % force for force in sorted(forces)))
